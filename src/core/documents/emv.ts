/** One element of an EMV code: two-digit id, value as read. */
export type EmvElement = { id: string; value: string };

/** How the two-digit lengths count: characters, as the Pix manual says, or UTF-8 bytes, as some issuers do. */
export type EmvLengthUnit = 'characters' | 'bytes';

/**
 * The elements of an EMV "id, length, value" text in their order, or null when a length runs past the end or an id or
 * length is not two digits. Source: Pix initiation manual, EMV QR Code layout.
 */
export function readEmvElements(text: string, unit: EmvLengthUnit = 'characters'): EmvElement[] | null {
  const units =
    unit === 'characters' ? Array.from(text) : Array.from(Buffer.from(text, 'utf8').toString('latin1'));
  const elements: EmvElement[] = [];
  for (let position = 0; position < units.length; ) {
    const head = units.slice(position, position + 4).join('');
    if (!/^\d{4}$/.test(head)) return null;
    const start = position + 4;
    const end = start + Number(head.slice(2));
    if (end > units.length) return null;
    const value = units.slice(start, end).join('');
    elements.push({ id: head.slice(0, 2), value: unit === 'characters' ? value : fromBytes(value) });
    position = end;
  }
  return elements;
}

/** One element as text. Throws RangeError when the value is longer than two digits can say. */
export function emvElement(id: string, value: string): string {
  const length = Array.from(value).length;
  if (length > 99) throw new RangeError(`EMV element ${id} is longer than 99 characters`);
  return id + String(length).padStart(2, '0') + value;
}

/**
 * CRC-16/CCITT-FALSE (polynomial 0x1021, initial value 0xFFFF, nothing reflected) as four upper-case hexadecimal
 * digits with leading zeros. Check value of "123456789": 29B1.
 */
export function crc16(bytes: Uint8Array): string {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function fromBytes(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
