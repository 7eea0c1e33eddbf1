import type { Product } from '../../core/caller.ts';
import { serveProductStdio } from '../../mcp/stdio.ts';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { openHouse } from '../house.ts';
import { logFailure, servicesOf } from '../server.ts';
import { untilStopped } from '../stop.ts';

const POOL_SIZE = 4;

/** MCP over stdin and stdout for one product, as the person behind `KOBANA_TOKEN`. */
export async function stdio(words: readonly string[], config: Config): Promise<void> {
  const { positionals } = readFlags(words, {});
  const product = productOf(positionals);
  const { token } = config;
  if (token === undefined)
    throw new UsageError('KOBANA_TOKEN is required; make one with `kobana token create`');
  const house = await openHouse(config, POOL_SIZE);
  const { runtime } = house;
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  const server = serveProductStdio({
    service: servicesOf(runtime)[product],
    authenticate: () => runtime.authenticator.authenticate(token, product, runtime.now()),
    now: runtime.now,
    logFailure,
  });
  await Promise.race([ended, untilStopped()]);
  await server.close();
  await house.close();
  // Whatever still holds the process has nobody left to answer.
  process.exit();
}

function productOf([name, ...rest]: string[]): Product {
  if ((name === 'finance' || name === 'dunning') && rest.length === 0) return name;
  throw new UsageError('usage: kobana stdio finance|dunning');
}
