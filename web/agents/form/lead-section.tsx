import { defaultAvatar, defaultThemeColor } from '#contract/agents/agent-constants.ts'
import { Seal } from '#web/ui/drawings/seal.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { useAgentFields, useFieldProps } from './agent-editor.tsx'

export function LeadSection() {
  return (
    <Section title="Chat page" help="How the agent presents itself to people who chat with it.">
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
        <TextField
          {...useFieldProps('capabilities')}
          maxLength={4000}
          help="Comma-separated"
          className="col-span-full"
        />
        <TextField
          {...useFieldProps('avatar')}
          maxLength={40}
          help={`One character or emoji for the agent’s seal. Leave empty for ${defaultAvatar}.`}
        />
        <ThemeColorField />
      </div>
    </Section>
  )
}

function ThemeColorField() {
  const { watch, setValue } = useAgentFields()
  const fieldProps = useFieldProps('theme_color')
  const color = watch('theme_color')
  const isColor = /^#[0-9a-f]{6}$/i.test(color)
  return (
    <Field label={fieldProps.label} error={fieldProps.error} help="Colors only the agent’s seal.">
      {(control) => (
        <div className="flex items-center gap-2.5">
          <input
            type="color"
            aria-label="Pick a color"
            value={isColor ? color : defaultThemeColor}
            onChange={(event) =>
              setValue('theme_color', event.currentTarget.value, { shouldDirty: true, shouldValidate: true })
            }
            className="h-9 w-11 shrink-0 cursor-pointer rounded-md border border-input bg-card p-1 phone:h-[42px]"
          />
          <input
            {...control}
            name={fieldProps.name}
            ref={fieldProps.ref}
            onChange={fieldProps.onChange}
            onBlur={fieldProps.onBlur}
            maxLength={7}
            spellCheck={false}
            className="h-9 min-w-0 flex-1 rounded-md border border-input bg-card px-[11px] font-mono text-ui outline-hidden focus-visible:border-ring focus-visible:shadow-halo aria-invalid:border-destructive phone:h-[42px] phone:text-lead"
          />
          <Seal
            name={watch('name') || 'Lead'}
            kind="Lead"
            size={36}
            color={isColor ? color : undefined}
            avatar={watch('avatar').trim() || defaultAvatar}
          />
        </div>
      )}
    </Field>
  )
}
