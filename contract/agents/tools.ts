/** The names an agent's tool list may hold (product.md §4). */
export const knownTools = [
  'search_memory',
  'read_sole',
  'list_moments',
  'write_reflection',
  'add_logbook_entry',
  'schedule_echo',
  'run_agent',
  'http_fetch',
] as const
