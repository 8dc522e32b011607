import type { Migration } from '../migrate.ts'

export const cachePrices: Migration = {
  name: '0023-prices-of-caches',
  statements: ({ integer, bigint }) => [
    `alter table model_prices add column cached_input_micros ${bigint}`,
    `alter table model_prices add column cache_write_micros ${bigint}`,
    `alter table model_calls add column cached_tokens ${integer}`,
    `alter table model_calls add column cache_write_tokens ${integer}`,
  ],
}
