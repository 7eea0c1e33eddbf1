import { readFlags } from '../command.ts';
import type { Config } from '../config.ts';
import { loadDemo } from '../demo/index.ts';
import { demoText, demoUrls } from '../demo/text.ts';
import { openHouse } from '../house.ts';

/** Loads the sample organization if it is absent and prints how to reach it. */
export async function demo(words: readonly string[], config: Config): Promise<void> {
  const { flags } = readFlags(words, { json: { type: 'boolean' } });
  const house = await openHouse(config);
  try {
    const report = await loadDemo(house.ownerUrl, house.runtime);
    const url = config.publicUrl ?? `http://${config.host}:${config.port}`;
    console.log(
      flags.has('json') ? JSON.stringify({ urls: demoUrls(url), ...report }) : demoText(url, report),
    );
  } finally {
    await house.close();
  }
}
