/** The folder in which `svc insight review --serve` keeps comments and notes, unless `--folder` names another folder. */
export const reviewFolder = '.svc-review'
