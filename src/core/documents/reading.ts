/** Something the reader of a document should know although the document was accepted. The code is stable. */
export type ReadingWarning<Code extends string> = { code: Code; message: string };

/** Digits of a payment code typed or pasted with any spaces, dots and hyphens; null when anything else is in it. */
export function digitsOfPaymentCode(text: string): string | null {
  const digits = text.replace(/[\s.-]/g, '');
  return /^\d*$/.test(digits) ? digits : null;
}
