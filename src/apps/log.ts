import { destination, pino } from 'pino';

/** The log of a process, on standard error: standard output belongs to results and to MCP over stdio. */
export const log = pino(
  {
    level: 'info',
    base: null,
    redact: ['headers.authorization', '*.headers.authorization', 'token', '*.token'],
    serializers: { err: pino.stdSerializers.err },
  },
  destination({ fd: 2, sync: true }),
);
