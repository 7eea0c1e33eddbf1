import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Answers the requests whose paths are its own. Gives false, and touches nothing, for every other path. `origin` is the
 * address the request came to, such as `https://books.example`, after Host was checked.
 */
export type Mount = (req: IncomingMessage, res: ServerResponse, origin: string) => boolean;
