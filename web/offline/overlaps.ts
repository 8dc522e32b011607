import type { ConflictField } from './conflict-dialog.tsx'
import { asLabel, asText } from './conflict-of-write.ts'

type Words = Record<string, unknown>

const labels: Record<string, string> = {
  audioId: 'Recording',
  aiVisible: 'Agents may read it',
  journeyId: 'Journey',
  occurredOn: 'Day',
  triggerConditions: 'Comes back when',
  triggerDate: 'Comes back on',
  triggerTimezone: 'Time zone',
}

/**
 * What two saves that began with the same both changed, and not alike, as choices: one or the other. Each is told by
 * what it changed.
 */
export function overlaps(mine: Words, theirs: Words): ConflictField[] {
  return Object.entries(mine)
    .filter(([name, value]) => name in theirs && JSON.stringify(value) !== JSON.stringify(theirs[name]))
    .map(([name, value]) => ({
      name,
      label: labels[name] ?? asLabel(name),
      yours: inWords(name, value, 'What you chose'),
      current: inWords(name, theirs[name], 'What is saved now'),
      choiceOnly: true,
    }))
}

/** What is sent after the person chose: what is to stay as it is saved now is left out. */
export function asChosen(body: Words, fields: readonly ConflictField[], values: Record<string, string>): Words {
  const sent: Words = { ...body, ...values }
  for (const { name, current, choiceOnly } of fields) {
    if (!choiceOnly) continue
    if (values[name] === current) delete sent[name]
    else sent[name] = body[name]
  }
  return sent
}

/** An id says nothing to anybody; what it names stays on the page. */
function inWords(name: string, value: unknown, chosen: string): string {
  if (value === null || value === undefined || value === '') return 'Nothing'
  return name.endsWith('Id') ? chosen : asText(value) || 'Nothing'
}
