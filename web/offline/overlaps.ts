import type { ConflictField } from './conflict-dialog.tsx'
import { asLabel, asText } from './conflict-of-write.ts'

type Words = Record<string, unknown>

const labels: Record<string, string> = {
  audioId: 'Recording',
  aiVisible: 'Agents can read it',
  journeyId: 'Journey',
  occurredOn: 'Day',
  triggerConditions: 'Comes back when',
  triggerDate: 'Comes back on',
  triggerTimezone: 'Time zone',
}

/** Fields that both saves changed differently from the same base, as choices. */
export function overlaps(mine: Words, theirs: Words): ConflictField[] {
  return Object.entries(mine)
    .filter(([name, value]) => name in theirs && JSON.stringify(value) !== JSON.stringify(theirs[name]))
    .map(([name, value]) => ({
      name,
      label: labels[name] ?? asLabel(name),
      yours: inWords(name, value, 'Your choice'),
      current: inWords(name, theirs[name], 'Saved now'),
      choiceOnly: true,
    }))
}

/** Omits choices that keep the saved value. */
export function asChosen(body: Words, fields: readonly ConflictField[], values: Record<string, string>): Words {
  const sent: Words = { ...body, ...values }
  for (const { name, current, choiceOnly } of fields) {
    if (!choiceOnly) continue
    if (values[name] === current) delete sent[name]
    else sent[name] = body[name]
  }
  return sent
}

/** An id means nothing to a person. */
function inWords(name: string, value: unknown, chosen: string): string {
  if (value === null || value === undefined || value === '') return 'Nothing'
  return name.endsWith('Id') ? chosen : asText(value) || 'Nothing'
}
