import type { Provider } from '#contract/agents/model-settings.ts'
import { getCatalog } from '#server/models/catalog/catalog.ts'
import { chooseRecommended, getLifecycle, type ListedState } from '#server/models/catalog/model-lifecycle.ts'
import { purposeFor } from '../default-model.ts'

const maxRecommended = 3

export function listRecommendedModels(provider: Provider, state: ListedState, now: Date): string[] {
  const purpose = purposeFor(provider)
  const stays = (model: string) => getLifecycle(provider, model, state, now).status === 'available'
  if (!state.models) {
    const known = getCatalog().listRecommended(provider, purpose)
    return known
      .map(({ id }) => id)
      .filter(stays)
      .slice(0, maxRecommended)
  }
  let models = state.models.filter(({ id }) => {
    const entry = getCatalog().findAnywhere(provider, id)
    return (!entry || entry.purpose === purpose) && stays(id)
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
