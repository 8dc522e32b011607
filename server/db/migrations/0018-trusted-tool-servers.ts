import type { Migration } from '../migrate.ts'

export const trustedToolServers: Migration = {
  name: '0018-trusted-tool-servers',
  statements: ({ bigint, text }) => [
    `create table trusted_tool_servers (
      id ${text} primary key,
      name ${text} not null,
      trusted_at ${bigint} not null,
      trusted_by ${text}
    )`,
  ],
}
