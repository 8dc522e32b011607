import type { AgentConfig } from '#contract/agents/agents.ts'

/** The names of a bundle, each once, as they are looked up: what was stored before they were tidied still works. */
export function bundleOf({ config }: { config: AgentConfig }): string[] {
  return [...new Set((config.bundle ?? []).map((name) => name.trim()).filter(Boolean))]
}

/** The config as it is saved. */
export function tidyConfig(config: AgentConfig): AgentConfig {
  return config.bundle ? { ...config, bundle: bundleOf({ config }) } : config
}
