import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type ModelPrice, usageCalls } from '#contract/agents/usage.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { call } from '#web/api/api.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { useProviders } from '#web/queries/use-providers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { pricesKey } from './usage-queries.ts'

const amountFields = [
  { name: 'input_usd', label: 'Input, dollars', className: 'w-36 phone:w-full' },
  { name: 'output_usd', label: 'Output, dollars', className: 'w-36 phone:w-full' },
  { name: 'cached_input_usd', label: 'Cached input, dollars', help: 'Optional', className: 'w-44 phone:w-full' },
  { name: 'cache_write_usd', label: 'Cache write, dollars', help: 'Optional', className: 'w-44 phone:w-full' },
] as const

type PriceValues = Pick<ModelPrice, 'provider' | 'model'> & Record<(typeof amountFields)[number]['name'], number | null>

const newPrice: PriceValues = {
  provider: 'openai',
  model: '',
  input_usd: null,
  output_usd: null,
  cached_input_usd: null,
  cache_write_usd: null,
}

const validate = ({ model, input_usd, output_usd }: PriceValues): Record<string, string> => ({
  ...(model.trim() === '' && { model: 'Enter a model name.' }),
  ...(input_usd === null && { input_usd: 'Enter an amount.' }),
  ...(output_usd === null && { output_usd: 'Enter an amount.' }),
})

export function PriceForm({ price, onDone }: { price: ModelPrice | undefined; onDone: () => void }) {
  const providers = useProviders()
  const queryClient = useQueryClient()
  const finish = async () => {
    await queryClient.invalidateQueries({ queryKey: pricesKey })
    onDone()
  }
  const form = useSubmitForm<PriceValues>({
    draftKey: `price/${price ? `${price.provider}/${price.model}` : 'new'}`,
    draftOptions: { isStored: false },
    blank: { ...newPrice, ...price },
    validate,
    submit({ provider, model, input_usd, output_usd, cached_input_usd, cache_write_usd }) {
      reset.reset()
      const amounts = { input_usd: input_usd ?? 0, output_usd: output_usd ?? 0, cached_input_usd, cache_write_usd }
      return call(usageCalls.setPrice, { body: { provider, model: model.trim(), ...amounts } })
    },
    onSaved: finish,
  })
  const reset = useMutation({
    mutationFn: ({ provider, model }: ModelPrice) => call(usageCalls.removePrice, { body: { provider, model } }),
    onSuccess: finish,
  })
  const { values, set, field, errors } = form

  return (
    <EntityForm
      form={form}
      aria-label={price ? `Price of ${price.model}` : 'New price'}
      className="mb-4 rounded-md bg-fill-hover p-3"
      saveLabel="Save"
      size="small"
      failureTitle="The price couldn’t be saved."
      onCancel={onDone}
      disabled={reset.isPending}
      buttonsClassName="mt-3"
      note={
        price?.source === 'own' && (
          <Button size="small" disabled={form.isSaving} busy={reset.isPending} onClick={() => reset.mutate(price)}>
            Reset
          </Button>
        )
      }
    >
      <ReadOnlyWhile while={reset.isPending}>
        <div className="flex flex-wrap items-start gap-3">
          {price ? (
            <p className="min-w-0 basis-full text-ui">
              {getProviderName(price.provider)}{' '}
              <span className="font-mono text-code wrap-break-word">{price.model}</span>
            </p>
          ) : (
            <>
              <SelectField
                autoFocus
                label="Provider"
                value={values.provider}
                options={providers.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(event) => set({ provider: event.currentTarget.value as Provider })}
                className="w-40 phone:w-full"
              />
              <TextField label="Model" mono maxLength={200} {...field('model')} className="w-64 phone:w-full" />
            </>
          )}
          {amountFields.map(({ name, ...props }) => (
            <NumberField
              key={name}
              {...props}
              autoFocus={price !== undefined && name === 'input_usd'}
              min={0}
              step="any"
              value={values[name] ?? ''}
              onNumberChange={(amount) => set({ [name]: amount })}
              error={errors[name]}
            />
          ))}
        </div>
      </ReadOnlyWhile>
      <ErrorText className="mt-2">{reset.error?.message}</ErrorText>
    </EntityForm>
  )
}
