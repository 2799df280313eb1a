import { describe, expect, it } from 'vitest';
import { hiddenColumns } from './protocol-columns.ts';

describe('columns by protocol', () => {
  it('leaves out function, decode and bit where no point type has them', () => {
    const point_fields = [{ frame_type: 0 as const, fields: ['code', 'address', 'slave_id'] }];
    expect(hiddenColumns({ point_fields })).toEqual({ function: false, decode: false, bit: false });
  });

  it('keeps a column that any point type has, and all while the protocol is not known', () => {
    const point_fields = [
      { frame_type: 0 as const, fields: ['code', 'decode', 'func_code'] },
      { frame_type: 1 as const, fields: ['code', 'bit'] },
    ];
    expect(hiddenColumns({ point_fields })).toEqual({});
    expect(hiddenColumns(undefined)).toEqual({});
  });
});
