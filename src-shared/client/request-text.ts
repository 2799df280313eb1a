import type { ApiRequest } from './client.ts';

/** What a request is written for. */
export const REQUEST_FORMS = ['curl', 'powershell', 'python'] as const;
export type RequestForm = (typeof REQUEST_FORMS)[number];

/** A request with what is needed to send it again from elsewhere. */
export interface WrittenRequest extends Pick<ApiRequest, 'method' | 'url' | 'body'> {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Name of the file of an upload; the body is then the other fields of its form. */
  readonly fileName?: string;
  /** The answer is a file. */
  readonly isDownload: boolean;
  /** Words that stand in front as a comment, e.g. that it operates a device. */
  readonly remark?: string;
}

/**
 * A request as a command of a shell or as a script. The token is not in it: both take it from the variable LOOPCHECK_TOKEN, and one that is not set asks
 * without. Nothing in names and texts is read by the shell.
 */
export function requestText(form: RequestForm, request: WrittenRequest): string {
  const head = request.remark === undefined ? '' : `# ${request.remark.replace(/\s+/g, ' ')}\n`;
  if (form === 'python') return head + python(request);
  return (
    head +
    (form === 'curl' ? shell(request, quotedForSh, ' \\\n  ', 'curl', '"Authorization: Bearer $LOOPCHECK_TOKEN"') : powershell(request))
  );
}

type Quote = (text: string) => string;

/** Between single quotes a POSIX shell reads nothing; a quote in the text ends them for a moment. */
function quotedForSh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Between single quotes PowerShell reads nothing but a doubled quote; a program gets quotes within only where they are escaped for it. */
function quotedForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll(/(\\*)"/g, '$1$1\\"')}'`;
}

function powershell(request: WrittenRequest): string {
  return shell(request, quotedForPowerShell, ' `\n  ', 'curl.exe', '"Authorization: Bearer $env:LOOPCHECK_TOKEN"');
}

function shell(
  { method, url, body, origin, fileName, isDownload }: WrittenRequest,
  quote: Quote,
  glue: string,
  program: string,
  token: string,
): string {
  const parts = [`${program} -sS -X ${method} ${quote(origin + url)}`, `-H ${token}`];
  if (fileName !== undefined) {
    for (const [name, value] of Object.entries(fieldsOf(body))) parts.push(`--form-string ${quote(`${name}=${fieldText(value)}`)}`);
    parts.push(`-F ${quote(`file=@"${fileName.replaceAll(/["\\]/g, '\\$&')}"`)}`);
  } else if (body !== undefined) {
    parts.push(`-H ${quote('Content-Type: application/json')}`, `--data-raw ${quote(jsonText(body))}`);
  }
  if (isDownload) parts.push('-OJ');
  return `${parts.join(glue)}\n`;
}

/** JSON in ASCII: what a shell or its console make of other characters differs from system to system. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

/** A field of a form: a text as it is, all else as JSON. */
function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function python({ method, url, body, origin, fileName, isDownload }: WrittenRequest): string {
  const isForm = fileName !== undefined;
  const lines = [`import ${['json', 'os', 'urllib.request', ...(isForm ? ['uuid'] : [])].join(', ')}`, ''];
  if (isForm) {
    lines.push(
      'boundary = uuid.uuid4().hex',
      `name = ${literal(fileName)}`,
      `fields = ${literal(Object.fromEntries(Object.entries(fieldsOf(body)).map(([key, value]) => [key, fieldText(value)])))}`,
      'parts = [f\'--{boundary}\\r\\nContent-Disposition: form-data; name="{key}"\\r\\n\\r\\n{value}\\r\\n\'.encode() for key, value in fields.items()]',
      'with open(name, "rb") as file:',
      '    head = f\'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="{os.path.basename(name)}"\\r\\n\\r\\n\'',
      '    parts.append(head.encode() + file.read() + b"\\r\\n")',
      'body = b"".join(parts) + f"--{boundary}--\\r\\n".encode()',
      'kind = f"multipart/form-data; boundary={boundary}"',
    );
  } else if (body !== undefined) {
    lines.push(`body = json.dumps(${literal(body)}).encode()`, 'kind = "application/json"');
  } else lines.push('body = None', 'kind = None');
  lines.push(
    `request = urllib.request.Request(${literal(origin + url)}, body, method=${literal(method)})`,
    'if kind:',
    '    request.add_header("Content-Type", kind)',
    'if os.environ.get("LOOPCHECK_TOKEN"):',
    '    request.add_header("Authorization", "Bearer " + os.environ["LOOPCHECK_TOKEN"])',
    'with urllib.request.urlopen(request) as answer:',
  );
  if (isDownload) {
    lines.push('    with open("answer.bin", "wb") as file:', '        file.write(answer.read())');
  } else lines.push('    print(json.dumps(json.load(answer)["data"], ensure_ascii=False, indent=2))');
  return `${lines.join('\n')}\n`;
}

/** A value of JSON as Python writes it; of numbers and texts both have the same form. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return jsonText(value).replaceAll(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, pairText);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${literal(key)}: ${literal(each)}`).join(', ')}}`;
}

/** A pair of surrogates as one character: Python's texts have none. */
function pairText(pair: string): string {
  const [high = 0, low = 0] = pair
    .split('\\u')
    .slice(1)
    .map((part) => Number.parseInt(part, 16));
  return `\\U${(((high - 0xd800) << 10) + (low - 0xdc00) + 0x1_0000).toString(16).padStart(8, '0')}`;
}
