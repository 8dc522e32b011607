const told: Record<string, string> = {
  search_memory: 'Searched the memory',
  read_sole: 'Read the SOLE',
  list_moments: 'Read moments',
  write_reflection: 'Wrote a reflection',
  add_logbook_entry: 'Wrote into the logbook',
  schedule_echo: 'Scheduled an echo',
  run_agent: 'Asked another agent',
  http_fetch: 'Read a page',
}

/** What a tool did, as one short line above the answer. */
export function workLine(data: unknown): string {
  const { label, name, tool } = (data ?? {}) as Record<string, unknown>
  if (typeof label === 'string' && label !== '') return label
  const used = String(name ?? tool ?? 'a tool')
  return told[used] ?? `Used ${used}`
}
