import type { Migration } from '../migrate.ts'

export const personalToolServers: Migration = {
  name: '0021-personal-tool-servers',
  statements: ({ bigint, text }) => [
    `create table personal_tool_servers (
      id ${text} primary key,
      owner_id ${text} not null references people (id) on delete cascade,
      name ${text} not null,
      address ${text} not null,
      sealed ${text} not null,
      sign_in_state ${text},
      sign_in_sealed ${text},
      sign_in_until ${bigint},
      created_at ${bigint} not null,
      unique (owner_id, name)
    )`,
  ],
}
