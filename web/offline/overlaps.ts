import type { ConflictField } from './conflict-dialog.tsx'
import { formatWriteFieldLabel, formatWriteValue } from './write-conflict.ts'

type EntryFields = Record<string, unknown>

const fieldLabels: Record<string, string> = {
  audioId: 'Recording',
  aiVisible: 'Agents can read it',
  journeyId: 'Journey',
  occurredOn: 'Day',
  triggerConditions: 'Comes back when',
  triggerDate: 'Comes back on',
  triggerTimezone: 'Time zone',
}

/** Fields that both saves changed differently from the same base, as choices. */
export function findOverlaps(local: EntryFields, remote: EntryFields): ConflictField[] {
  return Object.entries(local)
    .filter(([name, value]) => name in remote && JSON.stringify(value) !== JSON.stringify(remote[name]))
    .map(([name, value]) => ({
      name,
      label: fieldLabels[name] ?? formatWriteFieldLabel(name),
      yours: toChoiceText(name, value, 'Your choice'),
      current: toChoiceText(name, remote[name], 'Saved now'),
      choiceOnly: true,
    }))
}

export function applyChoices(
  body: EntryFields,
  fields: readonly ConflictField[],
  values: Record<string, string>,
): EntryFields {
  const resolvedBody: EntryFields = { ...body, ...values }
  for (const { name, current, choiceOnly } of fields) {
    if (!choiceOnly) continue
    if (values[name] === current) delete resolvedBody[name]
    else resolvedBody[name] = body[name]
  }
  return resolvedBody
}

/** An id means nothing to a person. */
function toChoiceText(name: string, value: unknown, idLabel: string): string {
  if (value === null || value === undefined || value === '') return 'Nothing'
  return name.endsWith('Id') ? idLabel : formatWriteValue(value) || 'Nothing'
}
