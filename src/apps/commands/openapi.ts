import { openApiOf } from '../../rest/openapi.ts';
import { readFlags } from '../command.ts';
import { type Config, UsageError } from '../config.ts';
import { products } from '../runtime.ts';

/** Prints the OpenAPI document of a product; needs no database. */
export async function openapi(words: readonly string[], config: Config): Promise<void> {
  const { positionals } = readFlags(words, {});
  const [product, ...rest] = positionals;
  if ((product !== 'finance' && product !== 'dunning') || rest.length > 0) {
    throw new UsageError('usage: kobana openapi finance|dunning');
  }
  const origin = config.publicUrl === undefined ? '' : new URL(config.publicUrl).origin;
  // A pipe takes less than the whole at once; the process goes on until it is written.
  await new Promise<void>((resolve, reject) => {
    const document = openApiOf(products[product], origin);
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}
