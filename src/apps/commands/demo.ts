import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { loadDemo } from '../demo/index.ts';
import { loadScale } from '../demo/scale-loading.ts';
import { demoConsole, demoText, demoUrls, scaleText } from '../demo/text.ts';
import { type House, openHouse } from '../house.ts';

const CHARGES_MAX = 10_000_000;

/** Loads the sample organization if it is absent, or with `--scale` a large one, and prints how to reach it. */
export async function demo(words: readonly string[], config: Config): Promise<void> {
  const { flags } = readFlags(words, { json: { type: 'boolean' }, scale: { type: 'string' } });
  const scale = flags.text('scale');
  const charges = scale === undefined ? null : chargesOf(scale);
  const house = await openHouse(config);
  const url = config.publicUrl ?? `http://${config.host}:${config.port}`;
  try {
    const text = charges === null ? sampleText : (...given: TextOf) => largeText(...given, charges);
    console.log(await text(house, url, flags.has('json')));
  } finally {
    await house.close();
  }
}

type TextOf = readonly [house: House, url: string, isJson: boolean];

async function sampleText(...[house, url, isJson]: TextOf): Promise<string> {
  const report = await loadDemo(house.ownerUrl, house.runtime);
  const { people, ...rest } = report;
  return isJson
    ? JSON.stringify({ urls: demoUrls(url), console: demoConsole(url, people), ...rest })
    : demoText(url, report);
}

async function largeText(house: House, url: string, isJson: boolean, charges: number): Promise<string> {
  const loaded = await loadScale(house.ownerUrl, house.runtime, charges);
  return isJson ? JSON.stringify({ urls: demoUrls(url), ...loaded }) : scaleText(url, loaded);
}

/** `500`, `10k`, `1m`. */
function chargesOf(text: string): number {
  const [, digits, unit] = /^(\d{1,8})([km]?)$/i.exec(text) ?? [];
  const factor = { '': 1, k: 1_000, m: 1_000_000 }[(unit ?? '').toLowerCase()]!;
  const charges = Number(digits) * factor;
  if (!Number.isInteger(charges) || charges < 1 || charges > CHARGES_MAX) {
    throw new UsageError(`--scale takes a number of charges such as 10k, 100k or 1m, at most ${CHARGES_MAX}`);
  }
  return charges;
}
