const ZERO = 48;

/**
 * Remainder by 11 of the sum of the characters times 2, 3, … `weightMax`, 2, 3, … from the right. A character is
 * worth its ASCII code minus 48, so digits are themselves and letters run from 17 (A) to 42 (Z), as in the
 * alphanumeric CNPJ (IN RFB 2.229/2024).
 */
export function modulo11Remainder(characters: string, weightMax: number = 9): number {
  let sum = 0;
  let weight = 2;
  for (let index = characters.length - 1; index >= 0; index -= 1) {
    sum += (characters.charCodeAt(index) - ZERO) * weight;
    weight = weight === weightMax ? 2 : weight + 1;
  }
  return sum % 11;
}

/** Check digit of CPF, CNPJ, NF-e key and utility bills (modulo 11): 11 minus the remainder, and 0 for 0 or 1. */
export function modulo11Digit(characters: string, weightMax: number = 9): string {
  const remainder = modulo11Remainder(characters, weightMax);
  return remainder < 2 ? '0' : String(11 - remainder);
}

/**
 * Check digit modulo 10 of typed lines: weights 2, 1, 2, 1… from the right, the digits of each product added.
 * Ten becomes zero.
 */
export function modulo10Digit(digits: string): string {
  let sum = 0;
  let weight = 2;
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    const product = (digits.charCodeAt(index) - ZERO) * weight;
    sum += product > 9 ? product - 9 : product;
    weight = 3 - weight;
  }
  return String((10 - (sum % 10)) % 10);
}
