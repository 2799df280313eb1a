import type { Operation } from '#shared/contract/index.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { unknownFieldFinder, WarningList } from '../services/unknown-fields.ts';

type ResponseChecker = (dataText: string) => void;

const compiled = new WeakMap<Operation, ResponseChecker>();

/**
 * The check of one operation's answers, compiled when it is asked for first: the JSON text must have exactly the fields of the contract.
 * Throws `INTERNAL` that says where it does not; tests run with it, so that no answer leaves the contract unseen.
 */
export function responseChecker(name: string, operation: Operation): ResponseChecker {
  const known = compiled.get(operation);
  if (known) return known;
  const checker = compile(name, operation);
  compiled.set(operation, checker);
  return checker;
}

function compile(name: string, operation: Operation): ResponseChecker {
  const findUnknown = unknownFieldFinder(operation.data);
  return (dataText) => {
    const data: unknown = JSON.parse(dataText);
    const result = operation.data.safeParse(data);
    const unknown = new WarningList();
    findUnknown?.(data, '', unknown);
    const problems = [
      ...(result.error?.issues ?? []).map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`),
      ...(unknown.list() ?? []).map((item) => `${item.path}: not in the contract`),
    ];
    if (problems.length > 0) throw new AppError('INTERNAL', say('http.breaks_contract', { name, problems: problems.join('; ') }));
  };
}
