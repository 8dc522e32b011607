import type { Migration } from '../migrate.ts'

/** Input read from a provider's cache costs less than new input, and writing to it may cost more. */
export const pricesOfCaches: Migration = {
  name: '0023-prices-of-caches',
  statements: ({ integer, milliseconds }) => [
    `alter table model_prices add column cached_input_micros ${milliseconds}`,
    `alter table model_prices add column cache_write_micros ${milliseconds}`,
    `alter table model_calls add column cached_tokens ${integer}`,
    `alter table model_calls add column cache_write_tokens ${integer}`,
  ],
}
