/** The floor: `node:http` and `pg`, no login, no tenant, no validation, no audit. */

import { createServer } from 'node:http';
import pg from 'pg';
import { payablesPage } from '../statements.ts';

const pool = new pg.Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 10 });

createServer((req, res) => {
  let body = '';
  req.on('data', (chunk: Buffer) => {
    body += chunk;
  });
  req.on('end', async () => {
    if (req.method !== 'POST') return void res.writeHead(405).end();
    const { workspace_id } = JSON.parse(body) as { workspace_id: string };
    const { rows } = await pool.query({ name: 'page', text: payablesPage, values: [workspace_id] });
    const text = JSON.stringify({ items: rows });
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    res.end(text);
  });
}).listen(Number(process.env['BENCH_PORT']), '127.0.0.1');
