import type { Product } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import { serveProductStdio } from '../../mcp/stdio.ts';
import { toolsetsOf } from '../../mcp/toolsets.ts';
import { type ClientView, readView } from '../../mcp/view.ts';
import { type Flags, readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { openHouse } from '../house.ts';
import { products } from '../runtime.ts';
import { logFailure, servicesOf } from '../server.ts';
import { untilStopped } from '../stop.ts';

const POOL_SIZE = 4;

/** MCP over stdin and stdout for one product, as the person behind `KOBANA_TOKEN`. */
export async function stdio(words: readonly string[], config: Config): Promise<void> {
  const { positionals, flags } = readFlags(words, {
    toolsets: { type: 'string' },
    readonly: { type: 'boolean' },
    workspace: { type: 'string' },
  });
  const product = productOf(positionals);
  const view = viewOf(flags, product);
  const { token } = config;
  if (token === undefined)
    throw new UsageError('KOBANA_TOKEN is required; make one with `kobana token create`');
  const house = await openHouse(config, POOL_SIZE);
  const { runtime } = house;
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  const server = serveProductStdio({
    service: servicesOf(runtime)[product],
    view,
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

/** The same words as in the address over HTTP. A workspace that is not reached is told with every request. */
function viewOf(flags: Flags, product: Product): ClientView {
  const given = ['toolsets', 'workspace'].flatMap((name): [string, string][] => {
    const value = flags.text(name);
    return value === undefined ? [] : [[name, value]];
  });
  if (flags.has('readonly')) given.push(['readonly', 'true']);
  try {
    return readView(given, toolsetsOf(products[product]).names);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { name, expected } = error.details as { name: string; expected: string };
    throw new UsageError(`--${name}: give ${expected}`);
  }
}

function productOf([name, ...rest]: string[]): Product {
  if ((name === 'finance' || name === 'dunning') && rest.length === 0) return name;
  throw new UsageError('usage: kobana stdio finance|dunning [--toolsets A,B] [--readonly] [--workspace ID]');
}
