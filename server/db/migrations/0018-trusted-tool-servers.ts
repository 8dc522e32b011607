import type { Migration } from '../migrate.ts'

/** Tool servers that an administrator trusts, by a hash of name and address. */
export const trustedToolServers: Migration = {
  name: '0018-trusted-tool-servers',
  statements: ({ milliseconds, text }) => [
    `create table trusted_tool_servers (
      id ${text} primary key,
      name ${text} not null,
      trusted_at ${milliseconds} not null,
      trusted_by ${text}
    )`,
  ],
}
