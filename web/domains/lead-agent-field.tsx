import { SelectField } from '#web/ui/select-field.tsx'
import { useLeadAgents } from './domain-queries.ts'

interface LeadAgentFieldProps {
  ownerId: string
  /** '' is none. */
  value: string
  error: string | undefined
  onValueChange: (agentId: string) => void
}

export function LeadAgentField({ ownerId, value, error, onValueChange }: LeadAgentFieldProps) {
  const list = useLeadAgents(ownerId)
  const found = list.data ?? []
  const isMissing = value !== '' && !found.some(({ id }) => id === value)
  return (
    <SelectField
      label="Lead agent"
      value={value}
      error={error}
      help={
        list.isError
          ? 'Failed to load agents. The choice stays as it is.'
          : 'Who visitors of the custom domain talk to: a public Lead agent of the owner, or one that comes with Keeper.'
      }
      options={[
        { value: '', label: 'None: name and description only' },
        ...(isMissing ? [{ value, label: list.isPending ? 'Loading...' : 'The agent chosen before' }] : []),
        ...found.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` })),
      ]}
      onChange={(event) => onValueChange(event.currentTarget.value)}
    />
  )
}
