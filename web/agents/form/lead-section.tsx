import { defaultAvatar, defaultThemeColor } from '#contract/agents/agent-constants.ts'
import { Seal } from '#web/ui/drawings/seal.tsx'
import { Field } from '#web/ui/field.tsx'
import { Section } from '#web/ui/section.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAgentFields, useBox } from './agent-editor.tsx'

export function LeadSection() {
  return (
    <Section title="Chat page" help="How the agent presents itself to people who chat with it.">
      <div className="grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1">
        <TextField
          {...useBox('tagline')}
          maxLength={200}
          help="One line below the agent’s name."
          className="col-span-full"
        />
        <TextArea
          {...useBox('personality')}
          rows={2}
          maxLength={4000}
          help="How the agent speaks. Its instructions include this text."
          className="col-span-full"
        />
        <TextField {...useBox('capabilities')} maxLength={4000} help="Comma-separated" className="col-span-full" />
        <TextField
          {...useBox('avatar')}
          maxLength={40}
          help={`One character or emoji for the agent’s seal. Leave empty for ${defaultAvatar}.`}
        />
        <ThemeColour />
      </div>
    </Section>
  )
}

function ThemeColour() {
  const { watch, setValue } = useAgentFields()
  const box = useBox('theme_color')
  const colour = watch('theme_color')
  const isColour = /^#[0-9a-f]{6}$/i.test(colour)
  return (
    <Field label={box.label} error={box.error} help="Colors only the agent’s seal.">
      {(control) => (
        <div className="flex items-center gap-2.5">
          <input
            type="color"
            aria-label="Pick a color"
            value={isColour ? colour : defaultThemeColor}
            onChange={(event) =>
              setValue('theme_color', event.currentTarget.value, { shouldDirty: true, shouldValidate: true })
            }
            className="h-9 w-11 shrink-0 cursor-pointer rounded-md border border-input bg-card p-1 phone:h-[42px]"
          />
          <input
            {...control}
            name={box.name}
            ref={box.ref}
            onChange={box.onChange}
            onBlur={box.onBlur}
            maxLength={7}
            spellCheck={false}
            className="h-9 min-w-0 flex-1 rounded-md border border-input bg-card px-[11px] font-mono text-ui outline-hidden focus-visible:border-ring focus-visible:shadow-halo aria-invalid:border-destructive phone:h-[42px] phone:text-lead"
          />
          <Seal
            name={watch('name') || 'Lead'}
            kind="Lead"
            size={36}
            color={isColour ? colour : undefined}
            avatar={watch('avatar').trim() || defaultAvatar}
          />
        </div>
      )}
    </Field>
  )
}
