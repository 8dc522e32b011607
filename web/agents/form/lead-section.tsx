import { defaultAvatar, defaultThemeColor } from '#contract/agents/agent-constants.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Seal } from '#web/ui/drawings/seal.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'
import { fieldNames } from './check-agent-form.ts'

export function ChatPageFields() {
  return (
    <div className="grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1">
      <TextField
        {...useFieldProps('tagline')}
        maxLength={200}
        help="One line below the agent’s name."
        className="col-span-full"
      />
      <TextArea
        {...useFieldProps('personality')}
        rows={2}
        maxLength={4000}
        help="How the agent speaks. Its instructions include this text."
        className="col-span-full"
      />
      <TextField {...useFieldProps('capabilities')} maxLength={4000} help="Comma-separated" className="col-span-full" />
      <TextField
        {...useFieldProps('avatar')}
        maxLength={40}
        help={`One character or emoji for the agent’s seal. Leave empty for ${defaultAvatar}.`}
      />
      <ThemeColorField />
    </div>
  )
}

function ThemeColorField() {
  const { values, set } = useAgentEditing()
  const { label, error, value: color, ...inputProps } = useFieldProps('theme_color')
  const isColor = /^#[0-9a-f]{6}$/i.test(color)
  return (
    <Field label={label} error={error} help="Colors only the agent’s seal.">
      {(control) => (
        <div className="flex items-center gap-2.5">
          <input
            type="color"
            aria-label="Pick a color"
            value={isColor ? color : defaultThemeColor}
            onChange={(event) => set({ theme_color: event.currentTarget.value })}
            className="h-9 w-11 shrink-0 cursor-pointer rounded-md border border-input bg-card p-1 phone:h-[2.625rem]"
          />
          <input
            {...control}
            {...inputProps}
            value={color}
            maxLength={7}
            spellCheck={false}
            className="h-9 min-w-0 flex-1 rounded-md border border-input bg-card px-[11px] font-mono text-ui outline-hidden focus-visible:border-ring focus-visible:shadow-halo aria-invalid:border-destructive phone:h-[2.625rem] phone:text-lead"
          />
          <Seal
            name={values.name || 'Lead'}
            kind="Lead"
            size={36}
            color={isColor ? color : undefined}
            avatar={values.avatar.trim() || defaultAvatar}
          />
        </div>
      )}
    </Field>
  )
}

/** Default daily limit in dollars when visitors use the owner's key. */
const defaultDailyLimit = 0.5

export function VisitorFields() {
  const { agent, isOwner, values, errors, set, setWhileTyping, showProblem } = useAgentEditing()
  const { visitors_spend_owner_key: usesOwnerKey, visitor_daily_usd: dailyLimit } = values
  const isBuiltIn = agent?.owner_id === null

  return (
    <fieldset disabled={!isOwner} className="flex min-w-0 flex-col gap-4">
      <NumberField
        label={fieldNames.visitor_daily_usd}
        value={dailyLimit ?? ''}
        error={errors.visitor_daily_usd}
        onNumberChange={(visitor_daily_usd) => setWhileTyping({ visitor_daily_usd })}
        onBlur={() => showProblem('visitor_daily_usd')}
        min={0}
        step="any"
        required={usesOwnerKey}
        unit="$"
        help={
          usesOwnerKey
            ? 'Maximum that all visitors together can spend on your key per day (UTC).'
            : 'Maximum that all visitors together can spend on this agent per day (UTC). Leave empty to apply only this server’s limit.'
        }
        className="w-72 phone:w-full"
      />
      {!isBuiltIn && (
        <Switch
          checked={usesOwnerKey}
          onCheckedChange={(visitors_spend_owner_key) => {
            const visitor_daily_usd = visitors_spend_owner_key ? (dailyLimit ?? defaultDailyLimit) : dailyLimit
            set({ visitors_spend_owner_key, visitor_daily_usd })
          }}
          label="Visitors use my key"
          help="Their chats use your personal API key for this provider, up to the daily limit and your monthly budget. When off, they use this server’s key, if it has one."
        />
      )}
      {!isOwner && (
        <p className="text-small text-muted-foreground">Only the agent’s owner can change what visitors can spend.</p>
      )}
    </fieldset>
  )
}
