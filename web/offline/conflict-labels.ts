const fieldLabels: Record<string, string> = {
  aiVisible: 'Agents can read it',
  aliases: 'Other names',
  audioId: 'Recording',
  body: 'Text',
  content: 'Text',
  endsOn: 'To',
  expectation: 'What the answer must say',
  journeyId: 'Journey',
  judged_by: 'How the answer is checked',
  keeperTypeId: 'Keeper type',
  leadAgentId: 'Lead agent',
  mediaIds: 'Pictures and recordings',
  occurredAt: 'When',
  occurredOn: 'Day',
  startedOn: 'From',
  triggerConditions: 'Comes back when',
  triggerDate: 'Comes back on',
  triggerTimezone: 'Time zone',
}

export function getFieldLabel(name: string): string {
  const label = fieldLabels[name]
  if (label !== undefined) return label
  const text = name.replace(/_/g, ' ').replace(/\B([A-Z])/g, (capital) => ` ${capital.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
