/** Values on which all processes of a database must agree. */
export interface SettingStore {
  /** Stores a value unless the name has one. Returns the stored value. */
  keepSetting(name: SettingName, value: string): Promise<string>
  findSetting(name: SettingName): Promise<string | undefined>
}

export type SettingName = 'secret_fingerprint'
