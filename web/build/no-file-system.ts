// Stands for `node:fs`, which the HEIC decoder requires when it runs in Node.
export default {}
