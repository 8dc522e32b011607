export const getDashboardAddress = (id: string) => `/keeper/${encodeURIComponent(id)}/dashboard`
export const getMetadataAddress = (id: string) => getSelectedPageAddress('metadata', id)
export const getTemplatesAddress = (id: string) => getSelectedPageAddress('engagement-templates', id)
export const getMemoryToolsAddress = (id: string) => getSelectedPageAddress('memory-tools', id)
export const getBookAddress = (id: string) => `/keeper/${encodeURIComponent(id)}/book`
export const newKeeperAddress = '/keeper/new'

const getSelectedPageAddress = (page: string, id: string) => `/keeper/selected/${page}?id=${encodeURIComponent(id)}`
