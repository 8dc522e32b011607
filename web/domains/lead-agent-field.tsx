import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useLeadAgents } from './domain-queries.ts'

interface LeadAgentFieldProps {
  ownerId: string
  value: string
  error: string | undefined
  onValueChange: (agentId: string) => void
}

export function LeadAgentField({ ownerId, value, error, onValueChange }: LeadAgentFieldProps) {
  const list = useLeadAgents(ownerId)
  const agents = list.data ?? []
  const isMissing = value !== '' && !agents.some(({ id }) => id === value)
  return (
    <SelectField
      label="Lead agent"
      value={value}
      error={error}
      help={
        list.isError
          ? 'Failed to load agents. Your choice is unchanged.'
          : 'The agent that visitors of the custom domain talk to: one of the owner’s public Lead agents, or a built-in one.'
      }
      options={[
        { value: '', label: 'None: name and description only' },
        ...(isMissing ? [{ value, label: list.isPending ? 'Loading...' : 'Previously chosen agent' }] : []),
        ...agents.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` })),
      ]}
      onChange={(event) => onValueChange(event.currentTarget.value)}
    />
  )
}
