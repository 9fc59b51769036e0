"""The actions that ship with ragduck; importing this package registers them."""
