import { usageCalls } from '#contract/agents/usage.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listBudgets, setBudget } from './budgets.ts'
import { listModelPrices, removeModelPrice, setModelPrice } from './model-prices.ts'
import { exportUsage, showUsage } from './show-usage.ts'

export function usageRoutes(services: Services): ServedCall[] {
  return serveArea('usage', usageCalls, {
    show: ({ person, query }) => showUsage(services, person, query),
    exportFile: ({ person, query }) => exportUsage(services, person, query),
    budgets: ({ person }) => listBudgets(services, person),
    setBudget: ({ person, body }) => setBudget(services, person, body),
    prices: () => listModelPrices(services),
    setPrice: ({ person, body }) => setModelPrice(services, person, body),
    removePrice: ({ person, body }) => removeModelPrice(services, person, body),
  })
}
