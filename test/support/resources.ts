/** Resources as a client reads them: the real methods of the finance server over a world's database. */

import { finance } from '../../src/finance/index.ts';
import { createProductService } from '../../src/mcp/methods.ts';
import { WHOLE_VIEW } from '../../src/mcp/view.ts';
import type { Who, World } from './world.ts';

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
}

/** The one item that reading a resource gives. Throws the `ProtocolError` of a failed read. */
export async function readResource(world: World, uri: string, who: Who = 'owner'): Promise<ResourceContents> {
  const service = createProductService({
    definition: finance,
    invoker: world.runtime.invokers.finance,
    version: '1.0.0',
    logFailure: (error, where) => {
      throw new Error(`failed at ${where}`, { cause: error });
    },
  });
  const answer = await service.answer(
    'resources/read',
    { uri },
    {
      era: '2026',
      caller: await world.caller(who),
      capabilities: {},
      now: world.now(),
      canChallenge: false,
      view: WHOLE_VIEW,
    },
  );
  return JSON.parse(answer).contents[0];
}
