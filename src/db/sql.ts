/** SQL as SQL: statements with their values apart, composed without string building. */
export { default as sql, empty, raw, type Sql } from 'sql-template-tag';
