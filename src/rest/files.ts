/** The bytes of what operations only describe: `GET <route>/content` wherever a resource holds a file. */

import type { Invoker } from '../core/invoke.ts';
import type { ProductDefinition, ResourceDefinition } from '../core/surfaces.ts';
import { argumentsOf } from './arguments.ts';
import type { Endpoint } from './dispatch.ts';
import type { Entry } from './router.ts';
import { type Route, routesOf } from './routes.ts';

export interface FileRoute {
  readonly route: Route;
  readonly path: string;
  readonly readFile: NonNullable<ResourceDefinition['file']>;
}

/** The operations of a product that describe a file, with the route of its bytes. */
export function fileRoutesOf(product: Pick<ProductDefinition, 'catalogue' | 'resources'>): FileRoute[] {
  const routes = new Map(routesOf(product.catalogue).map((route) => [route.operation.name, route]));
  return product.resources.flatMap(({ operation, file }) => {
    const route = routes.get(operation);
    if (file === undefined || route === undefined) return [];
    return [{ route, path: `${route.path}/content`, readFile: file }];
  });
}

/** What stands at those routes: the permission, workspace and audit line of the operation, and the file instead of its JSON. */
export function fileEndpoints(
  product: Pick<ProductDefinition, 'product' | 'catalogue' | 'resources'>,
  invoker: Invoker,
): Entry<Endpoint>[] {
  return fileRoutesOf(product).map(({ route, path, readFile }) => ({
    method: 'GET',
    path,
    value: {
      domain: product.product,
      hasBody: false,
      async run(ask) {
        const args = argumentsOf(route, ask);
        // Ids in a path may be in capitals; the records have none.
        const inPath = Object.fromEntries(
          Object.entries(ask.params).map(([name, text]) => [name, text.toLowerCase()]),
        );
        const { bytes, contentType } = await invoker.readAs(
          route.operation,
          args,
          ask.caller,
          ask.surface,
          (context) => readFile(context, inPath),
        );
        // Whatever the file is, a browser keeps it and shows nothing of it as a page of this server.
        const headers = { 'Content-Type': contentType, 'Content-Disposition': 'attachment' };
        return { status: 200, headers, body: bytes };
      },
    },
  }));
}
