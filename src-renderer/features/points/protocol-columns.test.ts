import { describe, expect, it } from 'vitest';
import { hiddenColumns } from './protocol-columns.ts';

describe('columns by protocol', () => {
  it('leaves out function, decode and bit where no point type has them', () => {
    const point_fields = [{ frame_type: 0 as const, fields: ['code', 'address', 'slave_id'] }];
    expect(hiddenColumns({ point_fields })).toEqual({ function: false, decode: false, bit: false, reference: false });
  });

  it('has the reference in place of address and slave where points are named by it', () => {
    const point_fields = [{ frame_type: 0 as const, fields: ['code', 'reference'] }];
    expect(hiddenColumns({ point_fields })).toMatchObject({ address: false, hex: false, slave_id: false });
    expect(hiddenColumns({ point_fields })).not.toHaveProperty('reference');
  });

  it('keeps a column that any point type has, and the usual ones while the protocol is not known', () => {
    const point_fields = [
      { frame_type: 0 as const, fields: ['code', 'address', 'slave_id', 'decode', 'func_code'] },
      { frame_type: 1 as const, fields: ['code', 'bit', 'reference'] },
    ];
    expect(hiddenColumns({ point_fields })).toEqual({});
    expect(hiddenColumns(undefined)).toEqual({ reference: false });
  });
});
