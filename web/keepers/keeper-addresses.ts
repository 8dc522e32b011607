export const getDashboardPath = (id: string) => `/keeper/${encodeURIComponent(id)}/dashboard`
export const getMetadataPath = (id: string) => getSelectedPagePath('metadata', id)
export const getTemplatesPath = (id: string) => getSelectedPagePath('engagement-templates', id)
export const getMemoryToolsPath = (id: string) => getSelectedPagePath('memory-tools', id)
export const getBookPath = (id: string) => `/keeper/${encodeURIComponent(id)}/book`
export const newKeeperPath = '/keeper/new'

const getSelectedPagePath = (page: string, id: string) => `/keeper/selected/${page}?id=${encodeURIComponent(id)}`
