import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type ModelPrice, usageCalls } from '#contract/agents/usage.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { ApiError, call } from '#web/api/api.ts'
import { useProviders } from '#web/queries/use-providers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { InPlaceFormFooter } from './budget-line.tsx'
import { pricesKey } from './usage-queries.ts'

export function PriceForm({ price, onDone }: { price: ModelPrice | undefined; onDone: () => void }) {
  const providers = useProviders()
  const queryClient = useQueryClient()
  const [provider, setProvider] = useState<Provider>(price?.provider ?? 'openai')
  const [model, setModel] = useState(price?.model ?? '')
  const [input, setInput] = useState<number | null>(price?.input_usd ?? null)
  const [output, setOutput] = useState<number | null>(price?.output_usd ?? null)
  const [cachedInput, setCachedInput] = useState<number | null>(price?.cached_input_usd ?? null)
  const [cacheWrite, setCacheWrite] = useState<number | null>(price?.cache_write_usd ?? null)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const changePrice = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: pricesKey })
      onDone()
    },
  })
  const fieldErrors = changePrice.error instanceof ApiError ? changePrice.error.fields : undefined
  const getMissingText = (value: unknown, text: string) => (wasSubmitted && !value && value !== 0 ? text : undefined)

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasSubmitted(true)
    if (!model.trim() || input === null || output === null) return
    const body = {
      provider,
      model: model.trim(),
      input_usd: input,
      output_usd: output,
      cached_input_usd: cachedInput,
      cache_write_usd: cacheWrite,
    }
    changePrice.mutate(() => call(usageCalls.setPrice, { body }))
  }

  return (
    <form
      noValidate
      onSubmit={submit}
      aria-label={price ? `Price of ${price.model}` : 'New price'}
      className="mb-4 rounded-md bg-fill-hover p-3"
    >
      <div className="flex flex-wrap items-start gap-3">
        {price ? (
          <p className="min-w-0 basis-full text-ui">
            {getProviderName(provider)} <span className="font-mono text-code wrap-break-word">{price.model}</span>
          </p>
        ) : (
          <>
            <SelectField
              autoFocus
              label="Provider"
              value={provider}
              options={providers.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(event) => setProvider(event.currentTarget.value as Provider)}
              className="w-40 phone:w-full"
            />
            <TextField
              label="Model"
              mono
              value={model}
              maxLength={200}
              onChange={(event) => setModel(event.currentTarget.value)}
              error={getMissingText(model.trim(), 'Enter a model name.') ?? fieldErrors?.model}
              className="w-64 phone:w-full"
            />
          </>
        )}
        <NumberField
          autoFocus={price !== undefined}
          label="Input, dollars"
          min={0}
          step="any"
          defaultValue={price?.input_usd}
          onNumberChange={setInput}
          error={getMissingText(input, 'Enter an amount.') ?? fieldErrors?.input_usd}
          className="w-36 phone:w-full"
        />
        <NumberField
          label="Output, dollars"
          min={0}
          step="any"
          defaultValue={price?.output_usd}
          onNumberChange={setOutput}
          error={getMissingText(output, 'Enter an amount.') ?? fieldErrors?.output_usd}
          className="w-36 phone:w-full"
        />
        <NumberField
          label="Cached input, dollars"
          min={0}
          step="any"
          defaultValue={price?.cached_input_usd ?? undefined}
          onNumberChange={setCachedInput}
          help="Optional"
          error={fieldErrors?.cached_input_usd}
          className="w-44 phone:w-full"
        />
        <NumberField
          label="Cache write, dollars"
          min={0}
          step="any"
          defaultValue={price?.cache_write_usd ?? undefined}
          onNumberChange={setCacheWrite}
          help="Optional"
          error={fieldErrors?.cache_write_usd}
          className="w-44 phone:w-full"
        />
      </div>
      <InPlaceFormFooter
        problem={fieldErrors ? undefined : changePrice.error?.message}
        busy={changePrice.isPending}
        onCancel={onDone}
      >
        {price?.source === 'own' && (
          <Button
            size="small"
            busy={changePrice.isPending}
            onClick={() =>
              changePrice.mutate(() =>
                call(usageCalls.removePrice, { body: { provider: price.provider, model: price.model } }),
              )
            }
          >
            Reset
          </Button>
        )}
      </InPlaceFormFooter>
    </form>
  )
}
