import type { Migration } from '../migrate.ts'

export const imports: Migration = {
  name: '0028-imports',
  statements: ({ engine, text }) => [
    `alter table moments add column import_id ${text}`,
    `alter table keepers add column import_id ${text}`,
    'create index moments_by_import on moments (import_id) where import_id is not null',
    'create index keepers_by_import on keepers (import_id) where import_id is not null',
    // Imports used to store coordinates that edits refuse.
    engine === 'sqlite'
      ? `update moments set place = json_set(place, '$.lat', null, '$.lng', null) where place is not null
          and (abs(json_extract(place, '$.lat')) > 90 or abs(json_extract(place, '$.lng')) > 180)`
      : `update moments set place = place || '{"lat": null, "lng": null}' where place is not null
          and (abs((place ->> 'lat')::numeric) > 90 or abs((place ->> 'lng')::numeric) > 180)`,
  ],
}
