# Cuts the bodies of entries out of PTX: what is declared stands before them.
/^\{/ { print; skip = 1; next }
/^\}/ { skip = 0 }
!skip { print }
