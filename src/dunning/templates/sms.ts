/** How many short messages a text takes (3GPP TS 23.038): 160 plain letters in one, 153 in each of several. */

const PLAIN = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
const TAKES_TWO = /[\^{}\\[~\]|€]/g;

export interface SmsSize {
  readonly segments: number;
  /** Without accents such as ã or ç, which halve what fits. */
  readonly isPlain: boolean;
}

/** Texts with other letters are sent as UCS-2: 70 units in one message, 67 in each of several. */
export function smsSizeOf(text: string): SmsSize {
  const isPlain = PLAIN.test(text);
  const units = text.length + (isPlain ? (text.match(TAKES_TWO)?.length ?? 0) : 0);
  const [alone, each] = isPlain ? [160, 153] : [70, 67];
  return { segments: units <= alone ? 1 : Math.ceil(units / each), isPlain };
}
