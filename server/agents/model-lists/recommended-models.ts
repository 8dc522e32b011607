import type { Provider } from '#contract/agents/model-settings.ts'
import { getCatalog } from '#server/models/catalog/catalog.ts'
import { chooseRecommended, getLifecycle, type ListedState } from '#server/models/catalog/model-lifecycle.ts'
import { getModelPurpose } from '../default-model.ts'

const maxRecommended = 3

export function listRecommendedModels(provider: Provider, state: ListedState, now: Date): string[] {
  const purpose = getModelPurpose(provider)
  const isAvailable = (model: string) => getLifecycle(provider, model, state, now).status === 'available'
  if (!state.models) {
    const catalogModels = getCatalog().listRecommended(provider, purpose)
    return catalogModels
      .map(({ id }) => id)
      .filter(isAvailable)
      .slice(0, maxRecommended)
  }
  let models = state.models.filter(({ id }) => {
    const entry = getCatalog().findAnywhere(provider, id)
    return (!entry || entry.purpose === purpose) && isAvailable(id)
  })
  const recommended: string[] = []
  while (models.length > 0 && recommended.length < maxRecommended) {
    const next = chooseRecommended(provider, { ...state, models }, purpose) ?? ''
    if (!models.some(({ id }) => id === next)) break
    recommended.push(next)
    models = models.filter(({ id }) => id !== next)
  }
  return recommended
}
