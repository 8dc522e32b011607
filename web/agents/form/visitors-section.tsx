import { Switch } from '#web/ui/controls/switch.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { useAgentEditing, useAgentFields, useFieldProps } from './agent-editor.tsx'

/** Default daily limit in dollars when visitors use the owner's key. */
const defaultDailyLimit = 0.5

const toLimit = (value: string | number | null) => (value === '' || value === null ? null : Number(value))

/** Only public Leads have visitors. */
export function VisitorsSection() {
  const { watch } = useAgentFields()
  const [agentClass, visibility] = watch(['agent_class', 'visibility'])
  return agentClass === 'Lead' && visibility === 'public' ? <VisitorsFields /> : null
}

function VisitorsFields() {
  const { agent, isOwner } = useAgentEditing()
  const { register, watch, getValues, setValue } = useAgentFields()
  const limitField = useFieldProps('visitor_daily_usd', { setValueAs: toLimit })
  const usesOwnerKey = watch('visitors_spend_owner_key')
  const isBuiltIn = agent?.owner_id === null

  function setUsesKey(usesKey: boolean) {
    if (usesKey && getValues('visitor_daily_usd') === null)
      setValue('visitor_daily_usd', defaultDailyLimit, { shouldDirty: true })
    // Without the switch, the limit may be empty.
    setValue('visitors_spend_owner_key', usesKey, { shouldDirty: true, shouldValidate: true })
  }

  return (
    <Section title="Visitors" help="People who chat with this agent without signing in.">
      <fieldset disabled={!isOwner} className="flex min-w-0 flex-col gap-4">
        <NumberField
          {...limitField}
          min={0}
          step="any"
          required={usesOwnerKey}
          unit="$"
          help={
            usesOwnerKey
              ? 'The most all visitors together can spend on your key per day (UTC).'
              : 'The most all visitors together can spend on this agent per day (UTC). Leave empty to apply only this server’s limit.'
          }
          className="w-72 phone:w-full"
        />
        {!isBuiltIn && (
          <Switch
            {...register('visitors_spend_owner_key')}
            onCheckedChange={setUsesKey}
            label="Visitors use my key"
            help="Their chats use your personal API key for this provider, up to the daily limit and your monthly budget. When off, they use this server’s key, if it has one."
          />
        )}
        {!isOwner && (
          <p className="text-small text-muted-foreground">Only the agent’s owner can change what visitors can spend.</p>
        )}
      </fieldset>
    </Section>
  )
}
