/** As much of MIME (RFC 2045, 2046) as delivery reports need: headers, one level of parts, and their encodings. */

const PARTS_MAX = 20;
const HEADERS_MAX = 200;
const VALUE_MAX = 2_000;

export interface MailPart {
  /** The media type in small letters, without parameters. */
  readonly type: string;
  readonly headers: ReadonlyMap<string, string>;
  /** As it stands in the message, one character for each byte. */
  readonly encoded: string;
}

/** The parts of a multipart message, in order; none for any other. */
export function partsOf(raw: string): MailPart[] {
  const message = partOf(raw);
  if (!message.type.startsWith('multipart/')) return [];
  const boundary = parameterOf(message.headers.get('content-type') ?? '', 'boundary');
  if (boundary === null) return [];
  const found: string[][] = [];
  for (const line of message.encoded.split(/\r?\n/)) {
    const end = line.trimEnd();
    if (end === `--${boundary}--` || found.length > PARTS_MAX) break;
    if (end === `--${boundary}`) found.push([]);
    else found.at(-1)?.push(line);
  }
  return found.slice(0, PARTS_MAX).map((lines) => partOf(lines.join('\r\n')));
}

/** Fields by name in small letters, folded lines joined; the first of a name counts, up to the first empty line. */
export function headersOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const [head = ''] = text.replace(/^(?:\r?\n)+/, '').split(/\r?\n\r?\n/, 1);
  for (const line of head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .slice(0, HEADERS_MAX)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== '' && !fields.has(name))
      fields.set(
        name,
        line
          .slice(colon + 1)
          .trim()
          .slice(0, VALUE_MAX),
      );
  }
  return fields;
}

/** The text of a part, as UTF-8. */
export function bodyOf({ headers, encoded }: MailPart): string {
  switch ((headers.get('content-transfer-encoding') ?? '').toLowerCase()) {
    case 'base64':
      return Buffer.from(encoded, 'base64').toString('utf8');
    case 'quoted-printable':
      return Buffer.from(unquoted(encoded), 'latin1').toString('utf8');
    default:
      return Buffer.from(encoded, 'latin1').toString('utf8');
  }
}

/** A parameter of a header such as `multipart/report; boundary="x"`. */
export function parameterOf(header: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{1,200})"|([^\\s;"]{1,200}))`, 'i').exec(header);
  return found?.[1] ?? found?.[2] ?? null;
}

function partOf(text: string): MailPart {
  const headers = headersOf(text);
  const gap = /\r?\n\r?\n/.exec(text);
  return {
    type: /^[^;\s]*/.exec((headers.get('content-type') ?? 'text/plain').toLowerCase())![0],
    headers,
    encoded: gap === null ? '' : text.slice(gap.index + gap[0].length),
  };
}

function unquoted(text: string): string {
  return text
    .replace(/[ \t]*=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
