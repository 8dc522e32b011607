/** The pages of one keeper, by its id. */
export const dashboardAddress = (id: string) => `/keeper/${encodeURIComponent(id)}/dashboard`
export const metadataAddress = (id: string) => selected('metadata', id)
export const templatesAddress = (id: string) => selected('engagement-templates', id)
export const memoryToolsAddress = (id: string) => selected('memory-tools', id)
export const newKeeperAddress = '/keeper/new'

const selected = (page: string, id: string) => `/keeper/selected/${page}?id=${encodeURIComponent(id)}`
