import type { AgentConfig } from '#contract/agents/agents.ts'

/** Trimmed and deduplicated, because older rows were stored without normalization. */
export function getBundleNames({ config }: { config: AgentConfig }): string[] {
  return [...new Set((config.bundle ?? []).map((name) => name.trim()).filter(Boolean))]
}

export function normalizeConfig(config: AgentConfig): AgentConfig {
  return config.bundle ? { ...config, bundle: getBundleNames({ config }) } : config
}
