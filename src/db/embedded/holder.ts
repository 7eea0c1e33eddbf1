/**
 * A process for the tests: opens the embedded server of a home folder, tells what it got in one line of JSON,
 * and on a line on its input releases it and ends. Run as `node holder.ts <home> <options as JSON>`.
 */
import { openEmbedded } from './index.ts';

const [home, options] = process.argv.slice(2);

try {
  const server = await openEmbedded(home!, JSON.parse(options!));
  process.stdout.write(`${JSON.stringify(server)}\n`);
  process.stdin.once('data', async () => {
    await server.release();
    process.exit(0);
  });
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
  process.exit(1);
}
